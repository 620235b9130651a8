import { Check, type LucideIcon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "@/lib/dom/cx";
import { isRightToLeft } from "@/lib/i18n/locale";
import { useOverlay } from "@/lib/navigation/overlay-history";
import type { OpenMenuProps } from "./use-lazy-menu";

interface Props {
  menu: OpenMenuProps;
  side?: "top" | "bottom";
  align?: "start" | "end";
  children: ReactNode;
}

const rowClass =
  "flex cursor-pointer items-center gap-3 rounded-xl px-3 py-2.5 text-body-sm outline-none select-none data-[highlighted]:bg-muted";

/** An open menu. An invisible anchor covers its button to position it; the parent is `relative`. */
export function DropdownMenuContent({ menu, side = "bottom", align = "start", children }: Props) {
  const { button, id, isByKeyboard, onClose } = menu;
  const overlay = useOverlay(onClose);
  return (
    <DropdownMenu.Root
      open
      modal={false}
      dir={isRightToLeft() ? "rtl" : "ltr"}
      onOpenChange={onClose}
    >
      <DropdownMenu.Trigger asChild>
        <span aria-hidden className="pointer-events-none absolute inset-0" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          {...overlay}
          {...(isByKeyboard && { ref: focusFirst })}
          id={`${id}-menu`}
          aria-labelledby={id}
          side={side}
          align={align}
          sideOffset={8}
          collisionPadding={12}
          onInteractOutside={(event) => {
            // The button's own handler closes the menu.
            if (button.current?.contains(event.target as Node)) event.preventDefault();
          }}
          className="z-50 min-w-56 animate-rise rounded-2xl border border-border bg-popover p-1.5 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function focusFirst(panel: HTMLElement | null): void {
  panel?.querySelector<HTMLElement>("[role^='menuitem']")?.focus({ preventScroll: true });
}

interface ItemProps extends DropdownMenu.DropdownMenuItemProps {
  icon: LucideIcon;
  /** Whether it takes something away for good. */
  destructive?: boolean;
}

export function DropdownMenuItem({
  icon: Icon,
  destructive = false,
  children,
  ...rest
}: ItemProps) {
  return (
    <DropdownMenu.Item {...rest} className={cx(rowClass, destructive && "text-destructive")}>
      <Icon size={18} aria-hidden />
      {children}
    </DropdownMenu.Item>
  );
}

interface RadioGroupProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string; icon: ReactNode }[];
  onChange: (value: string) => void;
}

/** The first rows of a menu, of which one is chosen, and a hairline below them. */
export function DropdownMenuRadioGroup({ label, value, options, onChange }: RadioGroupProps) {
  return (
    <>
      <DropdownMenu.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
        <DropdownMenu.Label className="px-3 pt-2 pb-1 text-sm text-muted-foreground">
          {label}
        </DropdownMenu.Label>
        {options.map((option) => (
          <DropdownMenu.RadioItem key={option.value} value={option.value} className={rowClass}>
            {option.icon}
            <span className="flex-1">{option.label}</span>
            <DropdownMenu.ItemIndicator>
              <Check size={16} aria-hidden className="text-primary-strong" />
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <DropdownMenu.Separator className="mx-3 my-1.5 h-px bg-border" />
    </>
  );
}
