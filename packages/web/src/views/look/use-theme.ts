import { useMantineColorScheme } from '@mantine/core';
import { type Theme, updateUserSettings } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/call.ts';
import { queryClient } from '../../lib/server-state.ts';
import { currentUser } from '../../requests/session.ts';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { choiceOf, type ThemeChoice, themeChoices } from './theme-choices.ts';

/** The theme that is shown, and choosing another: at once here, and kept for the person. */
export function useTheme(): { readonly present: ThemeChoice; readonly choose: (theme: Theme) => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return {
    present: choiceOf(colorScheme),
    choose: (theme) => {
      const choice = themeChoices.find(({ value }) => value === theme);
      if (choice) setColorScheme(choice.scheme);
      void keep(theme).catch(toastProblem);
    },
  };
}

/** A person of the host has no settings here: theirs stays with the browser. */
async function keep(theme: Theme): Promise<void> {
  if ((queryClient.getQueryData(currentUser.queryKey)?.userId ?? null) === null) return;
  await call(updateUserSettings, { body: { theme } });
  queryClient.setQueryData(currentUser.queryKey, (user) => user && { ...user, theme });
  await queryClient.invalidateQueries({ queryKey: [updateUserSettings.tag] });
}

/** Shows the theme that the person keeps, in whichever browser they sign in. */
export function useKeptTheme(): void {
  const theme = useQuery(currentUser).data?.theme ?? null;
  const { setColorScheme } = useMantineColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen here is not taken back by a drawing
  useEffect(() => {
    const kept = themeChoices.find(({ value }) => value === theme);
    if (kept) setColorScheme(kept.scheme);
  }, [theme]);
}
