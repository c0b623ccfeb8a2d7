import { Button } from '@mantine/core';
import { ChangePasswordBody, changePassword } from '@svc/contract';
import { forgetAntiforgeryToken } from '../../lib/calls/antiforgery.ts';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { PasswordField } from '../../ui/form/fields.tsx';

const empty = { currentPassword: '', newPassword: '', repeated: '' };

/** Changes the user's own password. All other sessions of the user end. */
export function PasswordForm() {
  const change = useChange(changePassword, { touches: ['sign-in'] });
  const form = useForm({
    schema: ChangePasswordBody,
    initial: empty,
    toBody: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    check: ({ newPassword, repeated }): Readonly<{ [field: string]: string }> =>
      newPassword === repeated ? {} : { repeated: 'The two passwords differ.' },
    send: async (body) => {
      await change.mutateAsync({ body });
      forgetAntiforgeryToken();
      form.reset(empty);
      toastDone('Your password was changed. Every other session of yours has ended.');
    },
  });
  return (
    <form className="stack" onSubmit={form.submit} noValidate style={{ maxWidth: 360 }}>
      <h2>Password</h2>
      <ProblemNote error={form.refusal} />
      <PasswordField
        form={form}
        name="currentPassword"
        label="Current password"
        autoComplete="current-password"
      />
      <PasswordField form={form} name="newPassword" label="New password" autoComplete="new-password" />
      <PasswordField
        form={form}
        name="repeated"
        label="Repeat the new password"
        autoComplete="new-password"
      />
      <div>
        <Button type="submit" loading={form.isSending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
