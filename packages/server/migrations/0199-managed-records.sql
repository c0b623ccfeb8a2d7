-- Records that are changed through their files alone, until an administrator releases them.
alter table svc.managed_objects add column is_managed boolean not null default false;
