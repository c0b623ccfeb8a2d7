-- Who may call: users, their roles, sessions and API keys; the first-run setup; the audit log.

create table svc.users (
  id integer generated always as identity primary key,
  user_name text not null,
  display_name text,
  email text,
  -- Internal: signs in with a password kept here. External: signs in at an identity provider.
  kind text not null check (kind in ('Internal', 'External')),
  issuer text,
  subject text,
  password_hash text,
  must_change_password boolean not null default false,
  -- Renewed whenever roles, password or enabled state change, or the user is archived: sessions carry a copy.
  security_stamp uuid not null default gen_random_uuid(),
  is_super_admin boolean not null default false,
  is_enabled boolean not null default true,
  -- Advances when the owner is disabled, re-enabled or archived: keys of an earlier generation are refused.
  api_key_generation integer not null default 0,
  last_signed_in_at timestamptz,
  created_time timestamptz not null default now(),
  archived_at timestamptz,
  constraint users_external_identity check ((kind = 'External') = (subject is not null and issuer is not null)),
  constraint users_password_is_internal check (password_hash is null or kind = 'Internal')
);
create unique index users_user_name on svc.users (lower(user_name));
create unique index users_external on svc.users (issuer, subject) where kind = 'External';

create table svc.user_roles (
  user_id integer not null references svc.users,
  role text not null check (role in ('Viewer', 'Editor', 'Admin', 'UserAdmin', 'SecurityAdmin', 'DataSourceAdmin', 'Auditor', 'Approver', 'MigrationOperator')),
  -- Granted: by a person, kept here. IdentityProvider: taken from the provider at each sign-in.
  source text not null default 'Granted' check (source in ('Granted', 'IdentityProvider')),
  granted_by_user_id integer references svc.users,
  granted_at timestamptz not null default now(),
  primary key (user_id, role, source)
);

-- One row once the first administrator exists; the primary key lets exactly one setup win.
create table svc.setup_completion (
  only_row boolean primary key default true check (only_row),
  super_admin_user_id integer not null references svc.users,
  completed_at timestamptz not null default now()
);

create table svc.sessions (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  user_id integer not null references svc.users,
  security_stamp uuid not null,
  auth_method text not null check (auth_method in ('Password', 'BreakGlass', 'Oidc', 'ExternalLogin')),
  identity_provider_issuer text,
  identity_provider_session text,
  is_persistent boolean not null default false,
  signed_in_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Last time that the session was checked against the user; the next check is due an interval later.
  checked_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  user_agent text,
  client_address text,
  ended_at timestamptz,
  end_reason text
);
create index sessions_user on svc.sessions (user_id) where ended_at is null;
create index sessions_identity_provider on svc.sessions (identity_provider_session) where ended_at is null and identity_provider_session is not null;
create index sessions_expiry on svc.sessions (expires_at);

-- A sign-in at the identity provider that has begun in one browser; taken out when it comes back.
create table svc.sign_in_transactions (
  token_hash bytea primary key,
  state text not null,
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index sign_in_transactions_expiry on svc.sign_in_transactions (expires_at);

create table svc.api_keys (
  id integer generated always as identity primary key,
  name text not null,
  key_hash bytea not null unique,
  -- First 16 characters of the key; shown, never used to find or to check it.
  prefix text not null,
  owner_user_id integer references svc.users,
  scopes text[] not null,
  -- Null only for keys made before a list was required: they act with their owner's project access.
  allowed_project_ids integer[],
  owner_generation integer not null default 0,
  created_time timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by_user_id integer references svc.users
);
create index api_keys_owner on svc.api_keys (owner_user_id);

create table svc.audit_events (
  id bigint generated always as identity primary key,
  event text not null,
  occurred_at timestamptz not null default now(),
  actor_kind text not null,
  actor_user_id integer,
  -- No foreign key: the record outlives the key.
  api_key_id integer,
  client_address text,
  subject_kind text,
  subject_id bigint,
  project_id integer,
  trace_id text,
  detail jsonb not null default '{}'
);
create index audit_events_time on svc.audit_events (occurred_at desc, id desc);
create index audit_events_event on svc.audit_events (event, occurred_at desc);
create index audit_events_actor on svc.audit_events (actor_user_id, occurred_at desc);

-- Recognises a changed encryption key: one sealed known value per key.
create table svc.encryption_key_checks (
  key_id text primary key,
  check_value text not null,
  created_time timestamptz not null default now()
);

-- Settings changed at run time; configuration gives the value that holds before.
create table svc.runtime_settings (
  key text primary key,
  value jsonb,
  version integer not null default 1,
  changed_at timestamptz not null default now(),
  changed_by_user_id integer references svc.users
);

-- Counters of rate limits, shared by all replicas; the columns are the rate limiter's.
create unlogged table svc.rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on svc.rate_limits (expire);
