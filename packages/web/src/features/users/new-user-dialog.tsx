import { createInternalUser, InternalUserInput, type RoleName } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toastDone } from '../../ui/toast.tsx';
import { RolesField } from './roles-field.tsx';

type Values = {
  userName: string;
  displayName: string;
  email: string;
  password: string;
  roles: readonly RoleName[];
};
const initial: Values = { userName: '', displayName: '', email: '', password: '', roles: ['Viewer'] };

/** Adds somebody who signs in with a password, which they change the first time. */
export function NewUserDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useChange(createInternalUser);
  const form = useForm({
    schema: InternalUserInput,
    initial,
    toBody: ({ displayName, email, roles, ...rest }) => ({
      ...rest,
      displayName: displayName === '' ? null : displayName,
      email: email === '' ? null : email,
      roles: [...roles],
    }),
    send: async (body) => {
      await create.mutateAsync({ body });
      toastDone(`${body.userName} was added.`);
      onClose();
    },
  });
  return (
    <FormDialog title="Add a user" form={form} act="Add user" onClose={onClose}>
      <TextField form={form} name="userName" label="User name" autoComplete="off" data-autofocus />
      <TextField form={form} name="displayName" label="Display name (optional)" autoComplete="off" />
      <TextField form={form} name="email" label="Email (optional)" type="email" autoComplete="off" />
      <PasswordField
        form={form}
        name="password"
        label="First password"
        description="They choose their own when they sign in with it."
        autoComplete="new-password"
      />
      <RolesField roles={form.values.roles} onChange={(roles) => form.set('roles', roles)} />
    </FormDialog>
  );
}
