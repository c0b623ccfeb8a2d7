import { Button } from '@mantine/core';
import { type DefinitionKind, releaseDefinitionObject } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { useChange } from '../../lib/server-state.ts';
import { definitionObject } from '../../requests/definitions.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { Tag } from '../../ui/record/status.tsx';

type Props = { readonly kind: DefinitionKind; readonly id: number };

/** Label of a record that only its file can change, with the folder. An Admin can release the record. */
export function ManagedBadge({ kind, id }: Props) {
  const { isAdmin } = useRights();
  const { data } = useQuery(definitionObject(kind, id));
  const release = useChange(releaseDefinitionObject);
  const [isAsking, setAsking] = useState(false);
  if (!data?.isManaged) return null;
  return (
    <>
      <Tag isLong>
        Managed from files: <strong>{data.manager}</strong>
      </Tag>
      {isAdmin && (
        <Button size="compact-sm" aria-haspopup="dialog" onClick={() => setAsking(true)}>
          Release
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Release this record?"
          act="Release"
          isDangerous={false}
          onConfirm={async () => {
            await release.mutateAsync({ params: { kind, id } });
            toastDone('Released. It can be changed here again.');
          }}
          onClose={() => setAsking(false)}
        >
          {`It can be changed here again. The files of ${data.manager} still say what it should be: the next time they are applied, they change it back, and manage it again if they are applied as managed.`}
        </ConfirmDialog>
      )}
    </>
  );
}
