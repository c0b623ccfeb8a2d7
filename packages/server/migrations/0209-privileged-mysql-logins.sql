-- Logins of MySQL and MariaDB are judged as those of PostgreSQL. Existing data sources keep running, with a warning.
update svc.data_sources set privileged_login = 'Unasked' where engine = 'MySQL' and archived_at is null;
