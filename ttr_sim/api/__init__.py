"""ttr-sim from Python: what `import ttr_sim as ttr` offers, and its pictures in notebooks.

The functions here put together what the floors below do, as the command line does; `ttr_sim/__init__.py` lists them.
"""
