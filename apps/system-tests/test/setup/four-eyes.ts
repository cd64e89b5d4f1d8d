/** What moves more than this in live needs a second operator on the platform that tests share; more than any of the others moves. */
export const FOUR_EYES_ABOVE_SAR = 200_000_000;
