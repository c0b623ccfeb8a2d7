-- A term of the glossary may say how a figure is computed over its table; the engine is asked whether that can be.

alter table svc.glossary_terms
  add column metric_expression text,
  -- What the engine said at the last check; null: it found nothing.
  add column broken_reason text,
  add column checked_at timestamptz,
  add check (metric_expression is null or target_table is not null);
