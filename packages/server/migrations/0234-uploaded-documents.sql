-- Documents that project admins upload, next to those that the host imports. Both kinds may have the same path.

alter table svc.imported_documents
  add column is_uploaded boolean not null default false,
  add column uploaded_by_user_id integer references svc.users,
  add constraint imported_documents_uploader check (is_uploaded or uploaded_by_user_id is null),
  drop constraint imported_documents_project_id_source_path_key,
  add constraint imported_documents_place unique (project_id, is_uploaded, source, path);
