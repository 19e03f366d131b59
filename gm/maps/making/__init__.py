"""`gm survey`: turns sites.yaml and public-domain coastlines into geometry.json.

The running server never imports this. Drawing needs the packages of the extra `maps`; checking needs none of them.
"""
