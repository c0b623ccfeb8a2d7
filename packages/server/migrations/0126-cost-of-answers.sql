-- What an answer cost at the prices of its calls, in millionths; null: no model was asked, or without prices.
alter table svc.answers add column cost_micros bigint check (cost_micros >= 0);
