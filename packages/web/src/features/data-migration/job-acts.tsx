import { ActionIcon, Button, Menu } from '@mantine/core';
import { archiveMigrationJob, type MigrationJob, runMigrationJob } from '@svc/contract';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { useGo } from '../../ui/frame/go.ts';
import { Icon } from '../../ui/text/icons.tsx';
import { destinationOf, takesAway } from './job-words.ts';

type Props = { readonly job: MigrationJob; readonly isUnderWay: boolean };

/** Actions of a job: run, trial, archive. Asks for confirmation before a run that can delete rows. */
export function JobActs({ job, isUnderWay }: Props) {
  const go = useGo();
  const [, change] = useAddress();
  const [asking, setAsking] = useState<'run' | 'archive' | null>(null);
  const run = useChange(runMigrationJob, { touches: ['home'] });
  const archive = useChange(archiveMigrationJob, { touches: ['home'] });
  const start = async (isTrial: boolean) => {
    const { executionId } = await run.mutateAsync({ params: { id: job.id }, body: { isTrial } });
    change({ tab: undefined, execution: String(executionId) });
  };
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${job.name}`} variant="default">
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setAsking('archive')}>
            Archive
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button disabled={isUnderWay || run.isPending} onClick={() => void start(true).catch(toastProblem)}>
        Try it
      </Button>
      <Button
        variant="filled"
        loading={isUnderWay || run.isPending}
        onClick={() => (takesAway(job.mode) ? setAsking('run') : void start(false).catch(toastProblem))}
      >
        Run now
      </Button>
      {asking === 'run' && (
        <ConfirmDialog
          title={`Run “${job.name}”?`}
          act="Run now"
          onConfirm={() => start(false)}
          onClose={() => setAsking(null)}
        >
          {job.mode === 'Truncate'
            ? `All rows of ${destinationOf(job)} are replaced by what is read.`
            : `Rows of ${destinationOf(job)} that the source lacks are deleted.`}{' '}
          “What will happen” shows how many.
        </ConfirmDialog>
      )}
      {asking === 'archive' && (
        <ConfirmDialog
          title={`Archive “${job.name}”?`}
          act="Archive job"
          onConfirm={async () => {
            await archive.mutateAsync({ params: { id: job.id } });
            toastDone(`“${job.name}” was archived.`);
            go(paths.migrationJobs());
          }}
          onClose={() => setAsking(null)}
        >
          It no longer runs. What it copied stays, and so does its history.
        </ConfirmDialog>
      )}
    </>
  );
}
