-- What calls to the language model cost, beside their tokens, and whom budgets were told to.
-- Money is counted in millionths: a price for a million tokens is as many millionths a token.

alter table svc.llm_budgets
  add column spent_micros bigint not null default 0 check (spent_micros >= 0),
  add column reserved_micros bigint not null default 0 check (reserved_micros >= 0),
  -- When a call first found no room.
  add column missed_at timestamptz,
  -- How much of it was told to be spent.
  add column told_percent integer not null default 0 check (told_percent in (0, 80, 100));

alter table svc.llm_calls
  add column bound_micros bigint not null default 0 check (bound_micros >= 0),
  -- What was booked; null until then.
  add column cost_micros bigint check (cost_micros >= 0),
  -- The prices that held as it was reserved; null: none.
  add column input_price numeric,
  add column output_price numeric,
  add check ((input_price is null) = (output_price is null));
update svc.llm_calls set cost_micros = 0 where finished_at is not null;
