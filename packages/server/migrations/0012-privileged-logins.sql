-- PostgreSQL sources whose login may do more than a data source needs: refused, unless the source was there before.

alter table svc.data_sources
  -- Unasked: saved before such logins were refused; not asked since. Tolerated: asked, and privileged. Null: refused.
  add column privileged_login text check (privileged_login in ('Unasked', 'Tolerated'));

update svc.data_sources set privileged_login = 'Unasked' where engine = 'PostgreSQL' and archived_at is null;
