import { type BodyOf, type User, UserInput, updateUser } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';

/** Changes the name and the email address of a user. */
export function EditUserDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const update = useChange(updateUser);
  const form = useForm({
    schema: UserInput,
    initial: {
      userName: user.userName,
      displayName: user.displayName ?? '',
      email: user.email ?? '',
    },
    toBody: ({ userName, displayName, email }): BodyOf<typeof updateUser> => ({
      userName,
      displayName: displayName === '' ? null : displayName,
      email: email === '' ? null : email,
    }),
    send: async (body) => {
      await update.mutateAsync({ params: { id: user.id }, body });
      toastDone(`${user.userName} was saved.`);
      onClose();
    },
  });
  return (
    <FormDialog title={`Edit ${user.userName}`} form={form} act="Save" onClose={onClose}>
      <TextField form={form} name="userName" label="User name" autoComplete="off" data-autofocus />
      <TextField form={form} name="displayName" label="Display name (optional)" autoComplete="off" />
      <TextField form={form} name="email" label="Email (optional)" type="email" autoComplete="off" />
    </FormDialog>
  );
}
