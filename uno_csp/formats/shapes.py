"""Words that look the same: what remains of a word when only its shape counts."""

import unicodedata

_SHAPES = str.maketrans(
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405"
    "\u0406\u0408\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5"
    "\u03a7\u03bf\u0131",
    "ABEKMHOPCTYXSIJaeopcyxsijABEZHIKMNOPTYXoi",
)
"""Letters of Cyrillic and Greek, and the dotless i, by the Latin letters that look the same."""


def shape_of(word: str) -> str:
    """Return the same text for words whose letters look the same, in any form of Unicode.

    >>> shape_of("\N{CYRILLIC SMALL LETTER ER}ink"), shape_of("e\N{COMBINING ACUTE ACCENT}")
    ('pink', '\N{LATIN SMALL LETTER E WITH ACUTE}')
    """
    return unicodedata.normalize("NFKC", word).translate(_SHAPES)
