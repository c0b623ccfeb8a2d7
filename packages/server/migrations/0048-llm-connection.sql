-- Secrets of a setting: sealed, and beside its value, which is shown.
alter table svc.runtime_settings add column value_sealed text;
