"""Players of the real game who do not see the other hands, and a table to play at."""
