import {
  AddRepositoryBody,
  addRepository,
  ChangeRepositoryBody,
  changeRepository,
  type Repository,
  SetRepositoryTokenBody,
  setRepositoryToken,
} from '@svc/contract';
import { useForm } from '../../../lib/form.ts';
import { ifUnchanged, useChange } from '../../../lib/server-state.ts';
import { toastDone } from '../../../ui/feedback/toast.tsx';
import { PasswordField, TextField } from '../../../ui/form/fields.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';

const urlHint = 'For cloning over HTTPS, without user or password';

/** Adds a repository to a project. */
export function AddRepositoryDialog({
  projectId,
  onClose,
}: {
  readonly projectId: number;
  readonly onClose: () => void;
}) {
  const add = useChange(addRepository);
  const form = useForm({
    schema: AddRepositoryBody,
    initial: { url: '', branch: 'main' },
    toBody: ({ url, branch }) => ({ url, branch }),
    send: async (body) => {
      const { name } = await add.mutateAsync({ params: { id: projectId }, body });
      toastDone(`“${name}” was added. Scan it to find the lines that name tables.`);
      onClose();
    },
  });
  return (
    <FormDialog title="Add a repository" form={form} act="Add repository" onClose={onClose}>
      <TextField
        form={form}
        name="url"
        label="Address"
        description={urlHint}
        placeholder="https://git.example.org/team/shop.git"
        data-autofocus
      />
      <TextField form={form} name="branch" label="Branch" />
    </FormDialog>
  );
}

/** Changes the address and the branch of a repository. */
export function ChangeRepositoryDialog({
  record,
  onClose,
}: {
  readonly record: Repository;
  readonly onClose: () => void;
}) {
  const change = useChange(changeRepository, { headers: () => ifUnchanged(form.version) });
  const form = useForm({
    schema: ChangeRepositoryBody,
    version: record.version,
    initial: { url: record.url, branch: record.branch },
    toBody: ({ url, branch }) => ({ url, branch }),
    send: async (body) => {
      await change.mutateAsync({ params: { id: record.id }, body });
      onClose();
    },
  });
  return (
    <FormDialog title="Change address or branch" form={form} act="Save" onClose={onClose}>
      <TextField form={form} name="url" label="Address" description={urlHint} data-autofocus />
      <TextField form={form} name="branch" label="Branch" />
      <p className="soft">
        What was found at the former place goes with the next save.
        {record.hasToken && ' Another host loses the token.'}
      </p>
    </FormDialog>
  );
}

/** Sets the token with which scans sign in. */
export function TokenDialog({
  record,
  onClose,
}: {
  readonly record: Repository;
  readonly onClose: () => void;
}) {
  const set = useChange(setRepositoryToken);
  const form = useForm({
    schema: SetRepositoryTokenBody,
    initial: { token: '' },
    toBody: ({ token }) => ({ token: token === '' ? null : token }),
    send: async (body) => {
      await set.mutateAsync({ params: { id: record.id }, body });
      toastDone(body.token === null ? 'The token was taken away.' : 'The token was saved.');
      onClose();
    },
  });
  return (
    <FormDialog title={`Token for “${record.name}”`} form={form} act="Save token" onClose={onClose}>
      <PasswordField
        form={form}
        name="token"
        label="Token"
        autoComplete="off"
        description={
          record.hasToken
            ? 'One is saved and never shown. Enter another, or leave this empty to take it away.'
            : 'A token that may read this repository and nothing else. It is never shown again.'
        }
      />
    </FormDialog>
  );
}
