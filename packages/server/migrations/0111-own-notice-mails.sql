-- Kinds of notices that a person gets no mail about; they stand in the service all the same.
alter table svc.users add column unmailed_notice_kinds text[] not null default '{}';
