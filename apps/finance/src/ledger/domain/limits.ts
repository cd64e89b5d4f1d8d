/** Characters of a key or a reference that a caller chooses. */
export const LONGEST_KEY = 200;

/** Characters of the notes on a movement. */
export const LONGEST_NOTES = 1000;
