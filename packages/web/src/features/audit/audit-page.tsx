import { Button } from '@mantine/core';
import type { AuditEntry } from '@svc/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { size } from '../../lib/format.ts';
import { useDownload } from '../../ui/feedback/use-download.ts';
import { useAddress } from '../../ui/frame/address.ts';
import type { Filter } from '../../ui/list/filter-chips.tsx';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { auditColumns } from './audit-columns.tsx';
import { auditFileQuery, auditQuery, eventWords, families, spans } from './audit-filters.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { audit } from './requests/audit.ts';
import { downloadAudit } from './requests/audit-file.ts';

/** Security events: actor, subject, time and origin. */
export function AuditPage() {
  const client = useQueryClient();
  const [state] = useAddress();
  // End of the span. It changes only when the user reads the list again, so that rows do not shift while the user
  // reads.
  const [until, setUntil] = useState(Date.now);
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const download = useDownload(downloadAudit);
  const readAgain = () => {
    setUntil(Date.now());
    void client.invalidateQueries({ queryKey: ['mcp', 'listAudit'] });
  };
  return (
    <>
      <ListPage
        id="audit"
        title="Audit"
        icon="audit"
        searchLabel="Search names, events and details"
        read={(asked: ListState) => audit(auditQuery(asked, until))}
        columns={auditColumns(setShown)}
        filters={filtersOf(state)}
        keyOf={(row) => row.id}
        action={
          <>
            {download.bytes === undefined ? (
              <Button
                leftSection={<Icon name="download" />}
                onClick={() => download.start(auditFileQuery(state, Date.now()))}
              >
                Download CSV
              </Button>
            ) : (
              <Button color="red" leftSection={<Icon name="stop" />} onClick={download.stop}>
                Stop the download ({size(download.bytes)})
              </Button>
            )}
            <Button leftSection={<Icon name="refresh" />} onClick={readAgain}>
              Refresh
            </Button>
          </>
        }
        empty={{
          title: 'Nothing is recorded in the last 93 days',
          text: 'Signing in, refused access, and every change of users, keys, projects, queries and recipients leave a line here.',
        }}
      />
      {shown && <EntryDialog entry={shown} onClose={() => setShown(null)} />}
    </>
  );
}

/** Filters with fixed choices, and filters that a link to this page set. */
function filtersOf(state: ListState): readonly Filter[] {
  const isFamily = families.some(({ value }) => value === state['event']);
  const event = state['event'];
  const one = (name: string, label: string): readonly Filter[] => {
    const value = state[name];
    return value === undefined ? [] : [{ name, label, options: [{ value, label: value }] }];
  };
  return [
    {
      name: 'event',
      label: 'Event',
      options: [
        ...families,
        ...(event === undefined || isFamily ? [] : [{ value: event, label: eventWords(event) }]),
      ],
    },
    { name: 'span', label: 'When', options: [...spans] },
    ...one('userId', 'User'),
    ...one('apiKeyId', 'API key'),
    ...one('projectId', 'Project'),
  ];
}
