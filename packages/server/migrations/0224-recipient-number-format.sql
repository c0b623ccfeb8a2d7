-- Form of large whole numbers and decimals in the records of messages. Existing recipients keep getting numbers.
alter table svc.recipients
  add number_format text not null default 'Text' check (number_format in ('Text', 'Number'));
update svc.recipients set number_format = 'Number';
