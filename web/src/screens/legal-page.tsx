import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sitePageQuery } from "@/api/site";
import { MarkdownText } from "@/components/markdown-text";
import { QueryView } from "@/components/query-view";
import { getContactUrl, site, type SitePage } from "@/lib/site";
import { useStore } from "@/lib/state/store";
import { formatDate } from "@/lib/time/format-date";
import { EmptyState } from "@/ui/empty-state";
import { LegalLayout } from "./legal-layout";

/** Keeps the place of a line that is coming. */
const NO_BREAK_SPACE = "\u00a0";

interface Props {
  page: SitePage;
  title: string;
  /** The built-in text, if there is one. */
  children?: ReactNode;
}

/** A page about the network: what its operator wrote, else the built-in text. */
export function LegalPage({ page, title, children }: Props) {
  const { pages } = useStore(site);
  if (pages.includes(page)) return <WrittenPage page={page} title={title} />;
  if (!children) {
    return (
      <LegalLayout title={title} since="">
        <EmptyState title={t`There is nothing here yet.`} />
      </LegalLayout>
    );
  }
  return (
    <LegalLayout title={title} since={t`In force since November 2026`}>
      {children}
      <Contact />
    </LegalLayout>
  );
}

function WrittenPage({ page, title }: Props) {
  const query = useQuery(sitePageQuery(page));
  const date = query.data && formatDate(query.data.updatedAt);
  return (
    <LegalLayout title={title} since={date ? t`Last changed on ${date}` : NO_BREAK_SPACE} isWritten>
      <QueryView query={query} loading={null} notFound={t`There is nothing here yet.`}>
        {({ markdown }) => <MarkdownText text={markdown} />}
      </QueryView>
    </LegalLayout>
  );
}

/** Names the operator's contact below the built-in texts. */
function Contact() {
  const { name: siteName, contact } = useStore(site);
  if (contact === null) return null;
  return (
    <>
      <h2>
        <Trans>Contact</Trans>
      </h2>
      <p>
        <Trans>
          The operator of {siteName} can be reached at{" "}
          <a href={getContactUrl(contact)}>{contact}</a>.
        </Trans>
      </p>
    </>
  );
}
