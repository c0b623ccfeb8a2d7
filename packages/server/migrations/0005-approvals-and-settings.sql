-- Approval of changes, and what was changed of the settings at run time.

-- The approved definition (type, destination, headers), sealed; kept only while the recipient holds another one that
-- awaits approval or was rejected.
alter table svc.recipients add column approved_sealed text;

-- Requests to approve a change: one row each, whatever the change is about, so that an id names one request.
create table svc.approval_requests (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('Recipient')),
  recipient_id integer references svc.recipients,
  status text not null default 'Pending' check (status in ('Pending', 'Approved', 'Rejected', 'Withdrawn')),
  -- True when the record itself is new, so that there is nothing before.
  is_new boolean not null,
  -- Words for what differs from what was approved.
  changed_parts text[] not null,
  -- HMAC of what is proposed, as an approval would keep it.
  proposed_hash text not null,
  -- What reviewers saw, without secrets; kept when the request is over.
  review jsonb,
  requested_by_user_id integer references svc.users,
  -- Name identifier of a host's user, who may have no record here.
  requested_by_host_user text,
  created_time timestamptz not null default now(),
  -- The last time that the requester changed it.
  submitted_at timestamptz not null default now(),
  decided_by_user_id integer references svc.users,
  decided_by_host_user text,
  decided_at timestamptz,
  comment text,
  check ((kind = 'Recipient') = (recipient_id is not null)),
  check ((status = 'Pending') = (decided_at is null))
);
-- One change of a record waits at a time.
create unique index approval_requests_pending on svc.approval_requests (recipient_id) where status = 'Pending';
create index approval_requests_recipient on svc.approval_requests (recipient_id);
create index approval_requests_time on svc.approval_requests (created_time desc, id desc);

-- History of the settings that were changed at run time.
create table svc.runtime_setting_changes (
  id bigint generated always as identity primary key,
  key text not null,
  -- Null: the configuration's value held.
  old_value jsonb,
  new_value jsonb,
  changed_at timestamptz not null default now(),
  changed_by_user_id integer references svc.users,
  changed_by_host_user text
);
