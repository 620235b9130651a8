import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { devicesQuery } from "@/api/devices";
import type { KeptAway } from "@/api/keys";
import { keptAwayList } from "@/api/safety";
import { Address } from "@/features/account/address";
import { DeleteAccount } from "@/features/account/delete-account";
import { Leaving } from "@/features/account/leaving";
import { OwnExport } from "@/features/account/own-export";
import { DeviceList } from "@/features/devices/device-list";
import { LogOutEverywhere } from "@/features/devices/log-out-everywhere";
import { MemberList } from "@/features/follows/member-list";
import { useTitle } from "@/lib/use-title";
import { KeepAwayButton } from "@/ui/keep-away-button";
import { FailureNotice } from "@/ui/notice";
import { Bone } from "@/ui/skeleton";
import { StaleNotice } from "@/ui/stale-notice";

/** What a member can decide about their account. */
export default function Settings() {
  useTitle("Settings");
  return (
    <div className="px-4 pb-16 sm:px-5">
      <h1 className="pt-5 font-serif text-[32px] leading-none">Settings</h1>
      <Leaving />
      <Section
        name="Devices"
        text="Where you are logged in. If you don't know one of them, log it out."
      >
        <Devices />
      </Section>
      <Section name="Account" text="Your login links go to this address.">
        <Address />
      </Section>
      <Section
        name="Muted and blocked"
        text="Posts of people you muted leave your lists, and they don't know. You and people you blocked don't see each other's posts."
      >
        {keptAway.map(({ list, title, empty }) => (
          <KeptAwayMembers key={list} list={list} title={title} empty={empty} />
        ))}
      </Section>
      <Section
        name="Your data"
        text="A ZIP file with everything Kith has of you: your posts, your images, whom you follow, and more."
      >
        <OwnExport />
      </Section>
      <Section
        name="Delete account"
        text="Your account and everything you posted go for good, 7 days after you asked for it. Until then you can keep them."
      >
        <DeleteAccount />
      </Section>
    </div>
  );
}

interface KeptAwayProps {
  list: KeptAway;
  title: string;
  empty: string;
}

const keptAway: readonly KeptAwayProps[] = [
  { list: "mutes", title: "Muted", empty: "You muted nobody." },
  { list: "blocks", title: "Blocked", empty: "You blocked nobody." },
];

function KeptAwayMembers({ list, title, empty }: KeptAwayProps) {
  const query = useInfiniteQuery(keptAwayList(list));
  return (
    <section aria-label={title} className="pt-6">
      <h3 className="font-semibold">{title}</h3>
      <MemberList
        query={query}
        narrow
        empty={<p className="pt-2 text-muted">{empty}</p>}
        renderAction={(user) => <KeepAwayButton list={list} member={user} />}
      />
    </section>
  );
}

interface SectionProps {
  name: string;
  text: string;
  children: ReactNode;
}

function Section({ name, text, children }: SectionProps) {
  return (
    <section aria-label={name} className="pt-9">
      <h2 className="text-lg font-semibold">{name}</h2>
      <p className="mt-1 text-muted">{text}</p>
      {children}
    </section>
  );
}

function Devices() {
  // Coming here is asking where one is logged in now.
  const query = useQuery({ ...devicesQuery, refetchOnMount: "always" });
  const { data, error } = query;
  if (!data) {
    if (error) return <FailureNotice error={error} onRetry={() => void query.refetch()} />;
    return <DeviceSkeletons />;
  }
  return (
    <>
      <StaleNotice query={query} />
      <DeviceList devices={data} />
      {data.length === 1 && (
        <p className="pt-4 text-muted">You are logged in on this device only.</p>
      )}
      <div className="pt-6">
        <LogOutEverywhere />
      </div>
    </>
  );
}

function DeviceSkeletons() {
  return (
    <div role="status">
      <span className="sr-only">Loading...</span>
      {[1, 2].map((row) => (
        <div
          key={row}
          aria-hidden
          className="flex items-center gap-4 border-b border-line py-4 last:border-b-0"
        >
          <Bone className="size-6 shrink-0" />
          <div className="flex-1 space-y-3 py-1">
            <Bone className="h-4 w-40" />
            <Bone className="h-3 w-60 opacity-60" />
          </div>
        </div>
      ))}
    </div>
  );
}
