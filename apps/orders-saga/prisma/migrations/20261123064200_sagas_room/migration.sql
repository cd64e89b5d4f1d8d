-- A saga's row grows to more than twice what it was when it was made. With room for that on its page its updates stay there, most of
-- them without touching an index, and the log holds what changed only.
ALTER TABLE sagas SET (fillfactor = 30);
