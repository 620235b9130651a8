import { useQuery } from "@tanstack/react-query";
import { accountQuery } from "@/api/account";
import { FailureNotice } from "@/ui/notice";
import { Bone } from "@/ui/skeleton";
import { StaleNotice } from "@/ui/stale-notice";
import { AddressForm } from "./address-form";
import { PendingAddress } from "./pending-address";

/** The address that login links go to, and changing it. */
export function Address() {
  // Mailboxes confirm elsewhere: coming back is asking how far that is.
  const query = useQuery({ ...accountQuery, refetchOnMount: "always", refetchOnWindowFocus: true });
  const { data, error } = query;
  if (!data) {
    if (error) return <FailureNotice error={error} onRetry={() => void query.refetch()} />;
    return (
      <div role="status" className="pt-5">
        <span className="sr-only">Loading...</span>
        <Bone className="h-5 w-52" />
      </div>
    );
  }
  return (
    <>
      <StaleNotice query={query} />
      <p className="pt-4 font-medium [overflow-wrap:anywhere]">
        {data.email ?? "You have no address yet."}
      </p>
      {data.pendingEmail ? (
        <PendingAddress pending={data.pendingEmail} />
      ) : (
        <AddressForm present={data.email} />
      )}
    </>
  );
}
