"""The drawing tool for map makers: sites.yaml and public-domain coastlines -> geometry.json.

No part of the running server: `gm survey` alone comes here. Drawing needs the packages of the extra `maps`; checking a
finished geometry.json needs none of them.
"""
