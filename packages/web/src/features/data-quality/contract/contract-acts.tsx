import { ActionIcon, Menu } from '@mantine/core';
import { archiveDataContract, type DataContract, snoozeDataContract } from '@svc/contract';
import { useState } from 'react';
import { viewerZone } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { useChange } from '../../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../../ui/form/confirm-dialog.tsx';
import { useGo } from '../../../ui/frame/go.ts';
import { LinkButton } from '../../../ui/frame/link-button.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { SnoozeDialog } from '../../../views/snooze/snooze-dialog.tsx';
import { downloadOdcs } from '../requests/odcs.ts';

type Props = { readonly record: DataContract };

/** Actions of a data contract, except its evaluation. */
export function ContractActs({ record }: Props) {
  const [open, setOpen] = useState<'snooze' | 'archive' | null>(null);
  const snooze = useChange(snoozeDataContract);
  const close = () => setOpen(null);
  const wake = () =>
    void snooze
      .mutateAsync({ params: { id: record.id }, body: { until: null } })
      .then(() => toastDone('Its alerts are on again.'), toastProblem);
  return (
    <>
      <LinkButton to={paths.editContract(record.id)} leftSection={<Icon name="edit" />}>
        Edit
      </LinkButton>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" aria-label="More actions">
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('snooze')}>Snooze alerts</Menu.Item>
          {record.snoozedUntil !== null && <Menu.Item onClick={wake}>End the snooze</Menu.Item>}
          <Menu.Item
            leftSection={<Icon name="download" />}
            onClick={() => void downloadOdcs(record.id, record.name).catch(toastProblem)}
          >
            Download as ODCS
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen('archive')}>
            Archive
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'snooze' && (
        <SnoozeDialog
          reason={record.snoozeReason}
          timeZone={record.schedule?.timeZone ?? viewerZone}
          onSnooze={(body) => snooze.mutateAsync({ params: { id: record.id }, body })}
          onClose={close}
        >
          It is still evaluated; its recipients get no alerts.
        </SnoozeDialog>
      )}
      {open === 'archive' && <ArchiveDialog record={record} onClose={close} />}
    </>
  );
}

type DialogProps = Props & { readonly onClose: () => void };

function ArchiveDialog({ record, onClose }: DialogProps) {
  const go = useGo();
  const archive = useChange(archiveDataContract);
  return (
    <ConfirmDialog
      title="Archive this data contract?"
      act="Archive data contract"
      onConfirm={async () => {
        await archive.mutateAsync({ params: { id: record.id } });
        toastDone('The data contract was archived.');
        go(paths.dataQuality());
      }}
      onClose={onClose}
    >
      Its schedule and alerts stop. Its history stays.
    </ConfirmDialog>
  );
}
