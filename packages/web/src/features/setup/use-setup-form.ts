import { SetupRequest } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { paths } from '../../lib/paths.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { createAdministrator } from './requests/create-administrator.ts';

/** Form that creates the first administrator and signs in. */
export function useSetupForm() {
  const go = useGo();
  return useForm({
    schema: SetupRequest,
    initial: { setupToken: '', userName: '', displayName: '', email: '', password: '', confirmPassword: '' },
    toBody: ({ displayName, email, ...rest }) => ({
      ...rest,
      displayName: displayName === '' ? null : displayName,
      email: email === '' ? null : email,
    }),
    check: ({ password, confirmPassword }): Record<string, string> =>
      confirmPassword === '' || password === confirmPassword
        ? {}
        : { confirmPassword: 'The two passwords differ.' },
    send: async (body) => {
      await createAdministrator(body);
      toastDone('The administrator was created and signed in.');
      go(paths.home(), { replace: true });
    },
  });
}
