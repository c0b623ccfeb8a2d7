-- Migration jobs and settings that are set at run time are kept in files as well.
alter table svc.definition_slugs drop constraint definition_slugs_kind_check;
alter table svc.definition_slugs add constraint definition_slugs_kind_check check (kind in (
  'Settings', 'McpSettings', 'DataSource', 'Recipient', 'MigrationJob', 'Project', 'McpProjectSettings', 'Query',
  'Contract', 'Subscription'));

-- Of settings there is one record, while something is set; in a project its id is the project's.
create or replace view svc.definition_records as
  select 'DataSource' as kind, id as record_id, null::integer as project_id, name
    from svc.data_sources where archived_at is null
  union all
  select 'Recipient', id, null, name from svc.recipients where archived_at is null
  union all
  select 'MigrationJob', id, null, name from svc.migration_jobs where archived_at is null
  union all
  select 'Project', id, null, name from svc.projects where archived_at is null
  union all
  select 'Query', q.id, q.project_id, q.name
    from svc.queries q join svc.projects p on p.id = q.project_id
    where q.archived_at is null and p.archived_at is null
  union all
  select 'Contract', c.id, c.project_id, c.name
    from svc.data_contracts c join svc.projects p on p.id = c.project_id
    where c.archived_at is null and p.archived_at is null
  union all
  select 'Subscription', s.id, q.project_id, q.name
    from svc.subscriptions s join svc.queries q on q.id = s.query_id join svc.projects p on p.id = q.project_id
    where s.archived_at is null and q.archived_at is null and p.archived_at is null
  union all
  select 'Settings', 1, null, 'service' where exists (
    select from svc.runtime_settings where value is not null
      and key in ('General.BaseUrl', 'General.DefaultTimeZone', 'LLM.Connection', 'LLM.Limits'))
  union all
  select 'McpSettings', 1, null, 'mcp' from svc.mcp_settings where project_id is null and values <> '{}'
  union all
  select 'McpProjectSettings', s.project_id, s.project_id, 'mcp'
    from svc.mcp_settings s join svc.projects p on p.id = s.project_id
    where s.values <> '{}' and p.archived_at is null;
