-- The acknowledgement of an alert, and its withdrawal, are in the timeline of the task that the alert opened.
alter table svc.task_events drop constraint task_events_kind_check;
alter table svc.task_events add constraint task_events_kind_check check (kind in ('Opened', 'CountChanged', 'Assigned',
  'Unassigned', 'PriorityChanged', 'Snoozed', 'Woke', 'Overdue', 'Resolved', 'Reopened', 'Commented', 'Acknowledged',
  'AcknowledgementWithdrawn'));
