import { LegalLayout } from "./legal-layout";

export default function Privacy() {
  return (
    <LegalLayout title="Privacy">
      <h2>What is stored</h2>
      <p>
        Your email address, your profile, what you post, who you follow, what you like and repost,
        and who invited you. If you join the waitlist: your email address. If a member vouches for
        you: the address that the member typed, for 180 days.
      </p>
      <h2>What it is used for</h2>
      <p>
        Your email address is used to log you in, and, on the waitlist, to tell you that it is your
        turn. It is never shown to other members. There is no advertising and no tracking, and
        nothing is sold or passed on.
      </p>
      <h2>Cookies</h2>
      <p>
        One cookie keeps you logged in. A second cookie, set for 15 minutes when you request a login
        link, ties that link to your browser. Your browser also stores your theme, the fact that
        you're logged in, and drafts, which are removed when you post.
      </p>
      <h2>Pictures</h2>
      <p>
        Hidden details of pictures, such as where they were taken, are removed before anyone sees
        them.
      </p>
      <h2>Who sees what</h2>
      <p>
        Posts and profiles are visible to members only. The operator of this server can read what it
        stores.
      </p>
    </LegalLayout>
  );
}
