import { Monitor, Smartphone } from "lucide-react";
import type { Device } from "@/api/types";
import { exactTime, longDate, relativeTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Button } from "@/ui/button";
import { onFirstClick } from "@/ui/on-first-click";
import { useEndDevice } from "./use-end-device";

/** Where the member is logged in: this device first, then the one used last. */
export function DeviceList({ devices }: { devices: readonly Device[] }) {
  const sorted = devices.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  return (
    <ul>
      {sorted.map((device) => (
        <DeviceRow key={device.id} device={device} />
      ))}
    </ul>
  );
}

function DeviceRow({ device }: { device: Device }) {
  const { name, createdAt, isCurrent } = device;
  const Icon = /iPhone|iPad|Android/.test(name) ? Smartphone : Monitor;
  return (
    <li className="flex items-center gap-4 border-b border-line py-4">
      <Icon size={24} strokeWidth={1.6} aria-hidden className="shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold">{name}</span>
          {isCurrent && (
            <span className="rounded-full bg-wash px-2.5 py-0.5 text-sm font-semibold">
              This device
            </span>
          )}
        </p>
        <p className="text-sm text-muted">
          <LastUse device={device} />{" "}
          <span className="inline-block">
            Logged in on <time dateTime={createdAt}>{longDate(createdAt)}</time>.
          </span>
        </p>
      </div>
      {!isCurrent && <EndButton device={device} />}
    </li>
  );
}

function LastUse({ device: { lastUsedAt, isCurrent } }: { device: Device }) {
  const now = useNow();
  if (isCurrent) return <span className="inline-block">In use now.</span>;
  return (
    <span className="inline-block">
      Last used{" "}
      <time dateTime={lastUsedAt} title={exactTime(lastUsedAt)}>
        {relativeTime(lastUsedAt, now)}
      </time>
      .
    </span>
  );
}

function EndButton({ device }: { device: Device }) {
  const end = useEndDevice(device);
  const words = end.isPending ? "Logging out..." : "Log out";
  return (
    // Not disabled meanwhile: a disabled button loses the focus.
    <Button
      look="outline"
      size="small"
      aria-label={`${words} ${device.name}`}
      aria-disabled={end.isPending}
      onClick={onFirstClick(() => !end.isPending && end.mutate())}
    >
      {words}
    </Button>
  );
}
