-- What calls to the language model were about: a hash of each prompt, and the texts where the operator has them kept.

alter table svc.llm_calls
  -- SHA-256 of instructions and data as they were sent, in hex; null: from before it was noted.
  add column prompt_hash text check (prompt_hash ~ '^[0-9a-f]{64}$');

-- Prompt and answer of a call, sealed; they go after seven days.
create table svc.llm_contents (
  call_id bigint primary key references svc.llm_calls on delete cascade,
  content_sealed text not null,
  kept_at timestamptz not null default now()
);
create index llm_contents_kept on svc.llm_contents (kept_at);
