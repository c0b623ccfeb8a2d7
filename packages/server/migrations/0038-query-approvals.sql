-- Requests to approve a change, opened for further kinds: definitions of queries among them.

alter table svc.approval_requests
  add column query_id integer references svc.queries,
  -- What is proposed. It follows the requester's next save, which takes the place of this one.
  add column query_version_id integer unique references svc.query_versions;
alter table svc.approval_requests
  drop constraint approval_requests_kind_check,
  add constraint approval_requests_kind_check check (kind in ('Recipient', 'Query')),
  add constraint approval_requests_of_query check (
    (kind = 'Query') = (query_id is not null) and (query_id is null) = (query_version_id is null));
-- One change of a record waits at a time, whatever its kind.
create unique index approval_requests_pending_query on svc.approval_requests (query_id) where status = 'Pending';
create index approval_requests_query on svc.approval_requests (query_id);
