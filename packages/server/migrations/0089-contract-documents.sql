-- What is kept of the document of a data contract that was imported: parts that are not judged, written again on export.
alter table svc.data_contracts add column odcs jsonb;
