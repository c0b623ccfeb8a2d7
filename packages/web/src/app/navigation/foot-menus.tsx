import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { signOut } from '../../features/session/requests/sign-out.ts';
import { paths } from '../../lib/paths.ts';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { Icon } from '../../ui/text/icons.tsx';
import { themeChoices } from '../../views/look/theme-choices.ts';
import { useTheme } from '../../views/look/use-theme.ts';

type Props = { readonly target: ReactElement };

/** Menu of the user's session. It opens as soon as its code is loaded, because the first press loads the code. */
export function AccountItems({ target }: Props) {
  const go = useGo();
  const leave = (everywhere: boolean) =>
    signOut(everywhere).then(() => go(paths.login({ signedOut: 'yes' })), toastProblem);
  return (
    <Menu position="top-start" defaultOpened>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="settings" />} onClick={() => go(paths.settings())}>
          Settings and password
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="out" />} onClick={() => void leave(false)}>
          Sign out
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" />} onClick={() => void leave(true)}>
          Sign out in every browser
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function ThemeItems({ target }: Props) {
  const { present, choose } = useTheme();
  return (
    <Menu position="top-end" defaultOpened>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {themeChoices.map((choice) => (
          <Menu.Item
            key={choice.value}
            leftSection={<Icon name={choice.icon} />}
            rightSection={choice === present ? <Icon name="check" /> : undefined}
            onClick={() => choose(choice.value)}
          >
            {choice.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
