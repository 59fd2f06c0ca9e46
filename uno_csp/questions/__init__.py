"""The question types, one per file.

Each file defines the frozen dataclass of one question: its fields with their JSON types, whether it
decides or optimises, and the wording of its answers. Parsing, JSON Schema, OpenAPI and the page's
inputs for cards, hands, pile and supply are derived from it. Other packages register question types
under the entry point ``uno_csp.questions``.
"""

import lazy_loader

# The names load pydantic, which cards and wording do not need.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
