/** A post of the demo community. Names in `likes` and `reposts` are usernames. */
export interface DemoPost {
  by: string;
  text: string;
  /** Descriptions of its images. */
  images?: readonly string[];
  poll?: readonly string[];
  /** Votes as username and number of the option, from 0. */
  votes?: readonly (readonly [string, number])[];
  likes?: readonly string[];
  reposts?: readonly string[];
  replies?: readonly DemoPost[];
}

/** The posts, oldest first. */
export const posts: readonly DemoPost[] = [
  { by: "mara", text: "Testing, testing. Is this thing on?", likes: ["amina"] },
  { by: "weilin", text: "Two kingfishers on the canal before six. #birding", likes: ["mara"] },
  { by: "tomas", text: "Deleted 400 lines today. No one will notice, which is the point. #WebDev" },
  {
    by: "ola",
    text: "The 6:12 was on time. I have no notes.",
    images: ["Hills from the window of the 6:12", "The same hills, two minutes later"],
  },
  { by: "elif", text: "Opened the kiln. Nine survived, three became gravel. #ceramics" },
  { by: "hugo", text: "So this is where everybody went." },
  { by: "priya", text: "Today's letter: a lowercase g that looks surprised. #Design #UIDesign" },
  {
    by: "sam",
    text: "First beans! Photographs are pointless, it is all in the snap. #allotment",
  },
  {
    by: "noor",
    text: "القطة نامت على المخطوطة، إذن انتهى العمل لهذا اليوم. #كتب",
    likes: ["amina"],
  },
  {
    by: "amina",
    text: "Quiet ward at 3 am. Read Szymborska to myself and, it turns out, to bed four. #poetry",
    likes: ["mara", "jonas", "noor", "elif", "weilin"],
    reposts: ["mara"],
    replies: [
      { by: "noor", text: "Bed four has good taste.", likes: ["amina"] },
      { by: "amina", text: "Bed four asked for the one with the onion. @noor you know the one." },
    ],
  },
  {
    by: "tomas",
    text: "Rewrote the settings page without a framework. 4 kB, no spinner. #WebDev #BuildInPublic",
    likes: ["priya", "sam"],
  },
  { by: "weilin", text: "EXPLAIN was honest with me and I did not enjoy it. #databases #WebDev" },
  { by: "mara", text: "Three invites left this month. Who do you miss here?", likes: ["jonas"] },
  {
    by: "priya",
    text: "A specimen page for the new italics is up: https://letters.example/italics/specimen\n\nTell me which characters look wrong. I can take it. #Design",
    likes: ["tomas", "weilin", "elif", "jonas"],
    replies: [
      { by: "elif", text: "The ampersand is showing off. Keep it." },
      { by: "jonas", text: "The 7 leans like a bike with a bent fork.", likes: ["priya"] },
      { by: "priya", text: "@jonas that is the nicest bug report I ever got." },
    ],
  },
  {
    by: "sam",
    text: "Courgettes, day 40. Send help, or a bigger car. #allotment",
    images: [
      "The allotments from above",
      "Evening over the beds",
      "Green as far as one sees",
      "The last light",
    ],
    likes: ["elif", "jonas"],
  },
  { by: "ola", text: "There is a station in Wales whose name is longer than this post. #trains" },
  {
    by: "elif",
    text: "Which glaze for the big bowl?",
    poll: ["Celadon", "Tenmoku", "Leave it raw", "Ask the kiln"],
    votes: [
      ["amina", 0],
      ["priya", 3],
      ["sam", 3],
      ["noor", 0],
      ["mara", 3],
    ],
    likes: ["sam"],
  },
  {
    by: "tomas",
    text: "Hot take: the best #AI feature is a good search box.",
    likes: ["weilin", "ola"],
  },
  { by: "hugo", text: "Does anybody here still write #React by hand? Asking for my thumbs." },
  { by: "noor", text: "Finished translating chapter nine. The cat remains unmoved. #books" },
  {
    by: "jonas",
    text: "Someone brought in a 1962 racer that hung in a barn for thirty years. It rings like a bell. #bikes",
    likes: ["amina", "priya", "tomas", "elif", "mara"],
    reposts: ["amina"],
    replies: [
      { by: "amina", text: "Please never sell it." },
      { by: "ola", text: "Does it fit on a train?", likes: ["jonas"] },
      { by: "jonas", text: "Everything fits on a train, @ola." },
    ],
  },
  {
    by: "amina",
    text: "Handover done, sun up, bakery open. The best ten minutes of the day. 🥐",
    images: ["The sun over the hills behind the hospital"],
    likes: ["jonas", "mara", "weilin"],
  },
  {
    by: "weilin",
    text: "Logged 41 species this month. The 42nd was a plastic bag, but a very convincing one. #birding",
    images: [
      "The valley at first light",
      "The ridge where the kites nest",
      "No one else on the path",
    ],
    likes: ["mara", "amina", "tomas", "jonas", "ola", "sam"],
    reposts: ["priya"],
    replies: [{ by: "mara", text: "Rare migrant." }],
  },
  {
    by: "jonas",
    text: "Sunday loaf: too wet, too flat, gone in an hour. #sourdough",
    likes: ["priya"],
  },
  {
    by: "priya",
    text: "@jonas bring the flat loaf to the studio. We judge letters here, not bread.",
    likes: ["jonas"],
  },
  {
    by: "tomas",
    text: "Kept one animation. It is 120 ms long and I am proud of every one of them. #UIDesign #WebDev",
    likes: ["priya", "jonas", "sam"],
  },
];
