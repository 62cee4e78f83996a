"""The pages (README, CONTRIBUTING, docs): every block is run, and prints what the page shows.

`blocks` reads a page, `commands` and `statements` run what stands in it, `output` compares what is
printed with what is shown, `walk` goes over a page in its order. CONTRIBUTING.md says how blocks
are written.
"""
