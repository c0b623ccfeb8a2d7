import { Button } from '@mantine/core';
import { type DataSource, setMigrationWrites } from '@svc/contract';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';

/** Switch that permits data migration to write to a data source. An Admin sets it, after a confirmation. */
export function MigrationWrites({ record }: { readonly record: DataSource }) {
  const { isAdmin } = useRights();
  const [isAsking, setAsking] = useState(false);
  const set = useChange(setMigrationWrites, { touches: ['migrations'] });
  const isAllowed = record.areMigrationWritesAllowed;
  const change = async () => {
    await set.mutateAsync({ params: { id: record.id }, body: { isAllowed: !isAllowed } });
    toastDone(
      isAllowed
        ? `Data migration may not write to “${record.name}” any more.`
        : `Data migration may write to “${record.name}”.`,
    );
  };
  return (
    <span className="row wrap">
      {isAllowed ? 'Allowed' : 'Not allowed'}
      {isAdmin && (
        <Button
          size="compact-sm"
          aria-label={isAllowed ? 'Close to data migration' : 'Allow data migration to write'}
          loading={set.isPending}
          onClick={() => (isAllowed ? void change().catch(toastProblem) : setAsking(true))}
        >
          {isAllowed ? 'Close' : 'Allow'}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Allow data migration to write to “${record.name}”?`}
          act="Allow"
          isDangerous={false}
          onConfirm={change}
          onClose={() => setAsking(false)}
        >
          Whoever holds MigrationOperator can then add, change and delete rows in any table that its login may
          write to, or in its files. Closing it again ends what is being copied into it.
        </ConfirmDialog>
      )}
    </span>
  );
}
