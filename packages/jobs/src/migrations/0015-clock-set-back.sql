-- Slots until this time fired while the clock was ahead. They fire once more, each a millisecond later, since the clock
-- was set back.
alter table __schema__.schedule add column refired_until timestamptz;
