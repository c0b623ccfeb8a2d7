-- Most of the time of a claim went into its plan, which was made anew for the values of a call. One plan is kept for each
-- session now. It must not depend on how the table looked when it was made: as in `claim_next`, it goes by indexes.
alter function __schema__.claim_at_rate(
  text, text[], integer, float8, uuid, timestamptz, integer, text[], integer[], float8[]
)
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_bitmapscan = off;
