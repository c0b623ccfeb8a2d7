import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from './link.tsx';

type Props = ButtonProps & { readonly to: string; readonly children: ReactNode };

/** Link with the style of a button. It navigates and can open in another tab. */
export const LinkButton = ({ to, children, ...rest }: Props) => (
  <Button renderRoot={(props) => <Link {...props} to={to} />} {...rest}>
    {children}
  </Button>
);
