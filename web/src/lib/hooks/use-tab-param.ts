import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";

/** The chosen tab, kept in the address so that going back returns to it; the first is the default. */
export function useTabParam<Name extends string>(
  names: readonly Name[],
): [Name, (name: Name) => void] {
  const [path, navigate] = useLocation();
  const requested = new URLSearchParams(useSearch()).get("tab");
  const first = names[0] as Name;
  const current = names.find((name) => name === requested) ?? first;
  const choose = (name: Name) =>
    navigate(name === first ? path : `${path}?tab=${name}`, {
      replace: true,
      state: history.state as unknown,
    });
  return [current, choose];
}
