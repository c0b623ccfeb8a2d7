import { useEffect, useState } from 'react';
import { useAddress } from './address.ts';

/** A dialog that makes something: opened by a button, or by an address with `new`, which is taken out again. */
export function useMakingDialog(): readonly [boolean, (isOpen: boolean) => void] {
  const [{ new: asked }, change] = useAddress();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (asked === undefined) return;
    setOpen(true);
    change({ new: undefined });
  }, [asked, change]);
  return [isOpen, setOpen];
}
