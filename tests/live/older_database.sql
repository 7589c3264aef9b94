-- A database as commit 4bdb0e4 wrote it (schema 0003): a live match of each game. Blue has to choose
-- in all of them; in BAGH and Fencing red has chosen already.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE alive (
	id INTEGER NOT NULL,
	at DOUBLE NOT NULL,
	CONSTRAINT alive_key PRIMARY KEY (id),
	CONSTRAINT alive_alive_one_row CHECK (id = 1)
);
INSERT INTO "alive" VALUES(1,1.79500598782323670388e+09);
CREATE TABLE discord_challenges (
	"match" TEXT NOT NULL,
	guild BIGINT NOT NULL,
	channel BIGINT NOT NULL,
	message BIGINT,
	challenger BIGINT NOT NULL,
	opponent BIGINT NOT NULL,
	terms TEXT NOT NULL,
	status TEXT NOT NULL,
	created_at DOUBLE NOT NULL,
	expires_at DOUBLE NOT NULL,
	CONSTRAINT discord_challenges_key PRIMARY KEY ("match")
);
CREATE TABLE discord_duels (
	"match" TEXT NOT NULL,
	guild BIGINT NOT NULL,
	channel BIGINT NOT NULL,
	starter BIGINT,
	thread BIGINT,
	message BIGINT,
	red BIGINT,
	blue BIGINT,
	game INTEGER NOT NULL,
	round INTEGER NOT NULL,
	stage TEXT NOT NULL,
	is_lost BOOLEAN NOT NULL,
	CONSTRAINT discord_duels_key PRIMARY KEY ("match"),
	CONSTRAINT discord_duels_match_of_matches FOREIGN KEY("match") REFERENCES matches (id)
);
CREATE TABLE discord_guilds (
	guild BIGINT NOT NULL,
	role BIGINT,
	CONSTRAINT discord_guilds_key PRIMARY KEY (guild)
);
CREATE TABLE discord_users (
	user BIGINT NOT NULL,
	person INTEGER NOT NULL,
	CONSTRAINT discord_users_key PRIMARY KEY (user),
	CONSTRAINT discord_users_person_of_people FOREIGN KEY(person) REFERENCES people (id),
	CONSTRAINT discord_users_person_unique UNIQUE (person)
);
CREATE TABLE events (
	"match" TEXT NOT NULL,
	seq INTEGER NOT NULL,
	at DOUBLE NOT NULL,
	body TEXT NOT NULL,
	CONSTRAINT events_key PRIMARY KEY ("match", seq),
	CONSTRAINT events_match_of_matches FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "events" VALUES('uzQ69sHcAG',1,1.79500598784054183959e+09,'{"event":"opened","ruleset":"bagh","ruleset_hash":"3d6afdf6311ddce7","wins_needed":2,"seconds":null,"on_timeout":"lose","visibility":"link","seed":5729824474008253153,"salt":"115981dc22d4b848011b4a919f8736e64b4dec7a2bfcd00d112ea32b2333ff04","start":null}');
INSERT INTO "events" VALUES('uzQ69sHcAG',2,1.79500598784068322181e+09,'{"event":"joined","seat":"red","player":{"name":"guest 1","kind":"guest","person":1,"rating":null,"provisional":false,"secret":"99360e694b298d4016c30aa3971b516ca9d0db0c090131eb9fc3386d54a17981"}}');
INSERT INTO "events" VALUES('uzQ69sHcAG',3,1.79500598790320801739e+09,'{"event":"joined","seat":"blue","player":{"name":"guest 2","kind":"guest","person":2,"rating":null,"provisional":false,"secret":"9342a54e6adeb3a35031051b7602e46211852c5fa30333e7cb799f0c1ebf1efc"}}');
INSERT INTO "events" VALUES('uzQ69sHcAG',4,1.7950059879034044743e+09,'{"game":1,"event":"created","at":0.0,"ruleset":"bagh","seed":5998962771410158075,"start":null,"round_limit":1000,"ruleset_hash":"3d6afdf6311ddce7"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',5,1.79500598794680047039e+09,'{"game":1,"event":"chosen","at":0.04338,"seat":"red","round":1,"choice":"guard","by":"red","command":"c1"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',6,1.79500598797187423702e+09,'{"game":1,"event":"chosen","at":0.068245,"seat":"blue","round":1,"choice":"guard","by":"blue","command":"c2"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',7,1.79500598797189497941e+09,'{"game":1,"event":"revealed","at":0.068419,"round":1,"red":"guard","blue":"guard","chance":null,"ms":{"red":43,"blue":68},"state":"23e03163ce9b1c88"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',8,1.79500598806945133208e+09,'{"game":1,"event":"chosen","at":0.16605,"seat":"red","round":2,"choice":"boost","by":"red","command":"c3"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',9,1.79500598807139945031e+09,'{"game":1,"event":"chosen","at":0.16785,"seat":"blue","round":2,"choice":"heal","by":"blue","command":"c4"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',10,1.79500598807140946387e+09,'{"game":1,"event":"revealed","at":0.167973,"round":2,"red":"boost","blue":"heal","chance":null,"ms":{"red":98,"blue":99},"state":"dd6d285c4036108b"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',11,1.7950059880757946968e+09,'{"game":1,"event":"chosen","at":0.1724,"seat":"red","round":3,"choice":"attack","by":"red","command":"c5"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',12,1.79500598808421278e+09,'{"game":1,"event":"chosen","at":0.180689,"seat":"blue","round":3,"choice":"boost","by":"blue","command":"c6"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',13,1.79500598808422327044e+09,'{"game":1,"event":"revealed","at":0.180792,"round":3,"red":"attack","blue":"boost","chance":null,"ms":{"red":4,"blue":13},"state":"febdcec300ca970c"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',14,1.79500598808844614032e+09,'{"game":1,"event":"chosen","at":0.185055,"seat":"red","round":4,"choice":"attack","by":"red","command":"c7"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',15,1.79500598809103703501e+09,'{"game":1,"event":"chosen","at":0.187479,"seat":"blue","round":4,"choice":"boost","by":"blue","command":"c8"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',16,1.79500598809104585642e+09,'{"game":1,"event":"revealed","at":0.187607,"round":4,"red":"attack","blue":"boost","chance":null,"ms":{"red":4,"blue":7},"state":"f0beca40d436f9de"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',17,1.79500598810317420952e+09,'{"game":1,"event":"chosen","at":0.199784,"seat":"red","round":5,"choice":"guard","by":"red","command":"c9"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',18,1.79500598811104393002e+09,'{"game":1,"event":"chosen","at":0.207507,"seat":"blue","round":5,"choice":"heal","by":"blue","command":"c10"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',19,1.79500598811105370519e+09,'{"game":1,"event":"revealed","at":0.207615,"round":5,"red":"guard","blue":"heal","chance":null,"ms":{"red":12,"blue":20},"state":"d6cc3a7e6c31b7ca"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',20,1.79500598811362028117e+09,'{"game":1,"event":"chosen","at":0.210238,"seat":"red","round":6,"choice":"attack","by":"red","command":"c11"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',21,1.79500598812306523324e+09,'{"game":1,"event":"chosen","at":0.219592,"seat":"blue","round":6,"choice":"heal","by":"blue","command":"c12"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',22,1.79500598812307429318e+09,'{"game":1,"event":"revealed","at":0.219677,"round":6,"red":"attack","blue":"heal","chance":null,"ms":{"red":3,"blue":12},"state":"23e03163ce9b1c88"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',23,1.79500598813496851924e+09,'{"game":1,"event":"chosen","at":0.23158,"seat":"red","round":7,"choice":"boost","by":"red","command":"c13"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',24,1.79500598814312386508e+09,'{"game":1,"event":"chosen","at":0.239566,"seat":"blue","round":7,"choice":"attack","by":"blue","command":"c14"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',25,1.79500598814313387869e+09,'{"game":1,"event":"revealed","at":0.239689,"round":7,"red":"boost","blue":"attack","chance":null,"ms":{"red":12,"blue":20},"state":"2d3faaa9cb217c85"}');
INSERT INTO "events" VALUES('uzQ69sHcAG',26,1.79500598814691376689e+09,'{"game":1,"event":"chosen","at":0.243529,"seat":"red","round":8,"choice":"boost","by":"red","command":"c15"}');
INSERT INTO "events" VALUES('rXHGmjvcWf',1,1.79500598815122747427e+09,'{"event":"opened","ruleset":"fencing","ruleset_hash":"eb98716bfc652056","wins_needed":1,"seconds":null,"on_timeout":"lose","visibility":"link","seed":4967442670751042561,"salt":"56a99357aee3916e8afecd76efb11864405c0a2653b310b77cb9a805524a1676","start":null}');
INSERT INTO "events" VALUES('rXHGmjvcWf',2,1.79500598815130162242e+09,'{"event":"joined","seat":"red","player":{"name":"guest 1","kind":"guest","person":1,"rating":null,"provisional":false,"secret":"611bb2650689440a4f454604b12058cae9fe9433d5c6a9eb340b5da927a7cc37"}}');
INSERT INTO "events" VALUES('rXHGmjvcWf',3,1.79500598816305685038e+09,'{"event":"joined","seat":"blue","player":{"name":"guest 2","kind":"guest","person":2,"rating":null,"provisional":false,"secret":"91120940c58ca1970b822604eb2658a59bebf1eabd82485ac130caa88c09b59c"}}');
INSERT INTO "events" VALUES('rXHGmjvcWf',4,1.79500598816317391394e+09,'{"game":1,"event":"created","at":0.0,"ruleset":"fencing","seed":11287915481980803867,"start":null,"round_limit":10000,"ruleset_hash":"eb98716bfc652056"}');
INSERT INTO "events" VALUES('rXHGmjvcWf',5,1.79500598817172670363e+09,'{"game":1,"event":"chosen","at":0.008541,"seat":"red","round":1,"choice":"retreat_drug","by":"red","command":"c1"}');
INSERT INTO "events" VALUES('rXHGmjvcWf',6,1.79500598817388057706e+09,'{"game":1,"event":"chosen","at":0.010543,"seat":"blue","round":1,"choice":"lunge","by":"blue","command":"c2"}');
INSERT INTO "events" VALUES('rXHGmjvcWf',7,1.79500598817388987539e+09,'{"game":1,"event":"revealed","at":0.010686,"round":1,"red":"retreat_drug","blue":"lunge","chance":null,"ms":{"red":9,"blue":11},"state":"e5d55f5cadb5eb36"}');
INSERT INTO "events" VALUES('rXHGmjvcWf',8,1.79500598817913389207e+09,'{"game":1,"event":"chosen","at":0.015971,"seat":"red","round":2,"choice":"double_retreat","by":"red","command":"c3"}');
INSERT INTO "events" VALUES('rXHGmjvcWf',9,1.79500598818330121039e+09,'{"game":1,"event":"chosen","at":0.019991,"seat":"blue","round":2,"choice":"parry","by":"blue","command":"c4"}');
INSERT INTO "events" VALUES('rXHGmjvcWf',10,1.79500598818331074712e+09,'{"game":1,"event":"revealed","at":0.020094,"round":2,"red":"double_retreat","blue":"parry","chance":null,"ms":{"red":5,"blue":9},"state":"e2e1c4de93133d8b"}');
INSERT INTO "events" VALUES('rXHGmjvcWf',11,1.79500598818706083299e+09,'{"game":1,"event":"chosen","at":0.0239,"seat":"red","round":3,"choice":"retreat","by":"red","command":"c5"}');
INSERT INTO "events" VALUES('wfe3FMm9cr',1,1.79500598819133758542e+09,'{"event":"opened","ruleset":"defend-the-city","ruleset_hash":"7c496f6ef9c0c90c","wins_needed":1,"seconds":null,"on_timeout":"lose","visibility":"link","seed":1800434805833606692,"salt":"13c01f2669acc83a49a1714a4a3a004c35e160ff700407ebe061b48290839e0a","start":null}');
INSERT INTO "events" VALUES('wfe3FMm9cr',2,1.79500598819140243529e+09,'{"event":"joined","seat":"red","player":{"name":"guest 1","kind":"guest","person":1,"rating":null,"provisional":false,"secret":"37cafa1719d9542227a1450a2c049ae20b0dd35fb7a2bfd76f9425ad4206e4c2"}}');
INSERT INTO "events" VALUES('wfe3FMm9cr',3,1.79500598819484138493e+09,'{"event":"joined","seat":"blue","player":{"name":"guest 2","kind":"guest","person":2,"rating":null,"provisional":false,"secret":"b2d19bf4a183fbc97bbb08386ff2d33cd8f6344681cd5efe19d6690022669561"}}');
INSERT INTO "events" VALUES('wfe3FMm9cr',4,1.79500598819495296482e+09,'{"game":1,"event":"created","at":0.0,"ruleset":"defend-the-city","seed":6615594776196536190,"start":null,"round_limit":1000,"ruleset_hash":"7c496f6ef9c0c90c"}');
INSERT INTO "events" VALUES('wfe3FMm9cr',5,1.79500598819777894016e+09,'{"game":1,"event":"chosen","at":0.002828,"seat":"red","round":1,"choice":"4/0","by":"red","command":"c1"}');
INSERT INTO "events" VALUES('wfe3FMm9cr',6,1.79500598819926214218e+09,'{"game":1,"event":"chosen","at":0.004179,"seat":"blue","round":1,"choice":"1/4","by":"blue","command":"c2"}');
INSERT INTO "events" VALUES('wfe3FMm9cr',7,1.79500598819927167891e+09,'{"game":1,"event":"revealed","at":0.004292,"round":1,"red":"4/0","blue":"1/4","chance":null,"ms":{"red":3,"blue":4},"state":"f85acd6e12e17392"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',1,1.79500598820338559151e+09,'{"event":"opened","ruleset":"magic-duel","ruleset_hash":"8b9fb2842a25ac06","wins_needed":1,"seconds":null,"on_timeout":"lose","visibility":"link","seed":5420207887423775473,"salt":"7c2f824bab8d81b912c8ddba50f21cc69b56a065ca9566c204d6d0fa732f6868","start":null}');
INSERT INTO "events" VALUES('RmDpTWYTkN',2,1.79500598820345759389e+09,'{"event":"joined","seat":"red","player":{"name":"guest 1","kind":"guest","person":1,"rating":null,"provisional":false,"secret":"ee3d2f01a2c60bd7d340d4df8672da2460bdb58f90cca32ead90cc27e7a34bc4"}}');
INSERT INTO "events" VALUES('RmDpTWYTkN',3,1.7950059882055790424e+09,'{"event":"joined","seat":"blue","player":{"name":"guest 2","kind":"guest","person":2,"rating":null,"provisional":false,"secret":"5ff80652335f51f0fb5b0d5cdd747d7072a2ca9afb6ba7144fe6a42556ff4130"}}');
INSERT INTO "events" VALUES('RmDpTWYTkN',4,1.79500598820566892623e+09,'{"game":1,"event":"created","at":0.0,"ruleset":"magic-duel","seed":2253070508651521315,"start":null,"round_limit":1000,"ruleset_hash":"8b9fb2842a25ac06"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',5,1.79500598820725512511e+09,'{"game":1,"event":"chosen","at":0.001465,"seat":"red","round":1,"choice":"heal 5","by":"red","command":"c1"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',6,1.79500598820726466183e+09,'{"game":1,"event":"revealed","at":0.001549,"round":1,"red":"heal 5","blue":null,"chance":null,"ms":{"red":1},"state":"285311ee7ed6db66"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',7,1.79500598821135902405e+09,'{"game":1,"event":"chosen","at":0.005603,"seat":"red","round":2,"choice":"heal 5","by":"red","command":"c2"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',8,1.79500598821136617662e+09,'{"game":1,"event":"revealed","at":0.005676,"round":2,"red":"heal 5","blue":null,"chance":null,"ms":{"red":4},"state":"4947ba741eeb3112"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',9,1.79500598821410775182e+09,'{"game":1,"event":"chosen","at":0.008367,"seat":"blue","round":3,"choice":"magic","by":"blue","command":"c3"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',10,1.79500598821411466599e+09,'{"game":1,"event":"revealed","at":0.008426,"round":3,"red":null,"blue":"magic","chance":null,"ms":{"blue":3},"state":"4ab2c1b2283c434a"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',11,1.79500598821926808353e+09,'{"game":1,"event":"chosen","at":0.013504,"seat":"blue","round":4,"choice":"normal 1 player","by":"blue","command":"c4"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',12,1.79500598821927690503e+09,'{"game":1,"event":"revealed","at":0.013581,"round":4,"red":null,"blue":"normal 1 player","chance":null,"ms":{"blue":5},"state":"acdc0d874f6deb54"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',13,1.79500598822170567511e+09,'{"game":1,"event":"chosen","at":0.015959,"seat":"red","round":5,"choice":"pierce player","by":"red","command":"c5"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',14,1.79500598822171306611e+09,'{"game":1,"event":"revealed","at":0.016023,"round":5,"red":"pierce player","blue":null,"chance":null,"ms":{"red":2},"state":"5f255cab79417cc9"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',15,1.79500598822334051134e+09,'{"game":1,"event":"chosen","at":0.017581,"seat":"red","round":6,"choice":"pierce player","by":"red","command":"c6"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',16,1.79500598822334837909e+09,'{"game":1,"event":"revealed","at":0.017657,"round":6,"red":"pierce player","blue":null,"chance":null,"ms":{"red":2},"state":"934c34750ebba330"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',17,1.79500598822712326054e+09,'{"game":1,"event":"chosen","at":0.021372,"seat":"blue","round":7,"choice":"normal 2 player","by":"blue","command":"c7"}');
INSERT INTO "events" VALUES('RmDpTWYTkN',18,1.79500598822713112829e+09,'{"game":1,"event":"revealed","at":0.02144,"round":7,"red":null,"blue":"normal 2 player","chance":null,"ms":{"blue":4},"state":"a5127c24dfddd464"}');
CREATE TABLE matches (
	id TEXT NOT NULL,
	last_seq INTEGER NOT NULL,
	created_at DOUBLE NOT NULL,
	updated_at DOUBLE NOT NULL,
	status TEXT NOT NULL,
	visibility TEXT NOT NULL,
	ruleset TEXT NOT NULL,
	game TEXT NOT NULL,
	wins_needed INTEGER NOT NULL,
	seconds INTEGER,
	red_person INTEGER,
	blue_person INTEGER,
	red_name TEXT,
	blue_name TEXT,
	red_kind TEXT,
	blue_kind TEXT,
	red_wins INTEGER NOT NULL,
	blue_wins INTEGER NOT NULL,
	draws INTEGER NOT NULL,
	games INTEGER NOT NULL,
	rounds INTEGER NOT NULL,
	winner TEXT,
	reason TEXT,
	rated BOOLEAN NOT NULL,
	deadline DOUBLE,
	CONSTRAINT matches_key PRIMARY KEY (id),
	CONSTRAINT matches_blue_person_of_people FOREIGN KEY(blue_person) REFERENCES people (id),
	CONSTRAINT matches_red_person_of_people FOREIGN KEY(red_person) REFERENCES people (id)
);
INSERT INTO "matches" VALUES('uzQ69sHcAG',26,1.79500598784054183959e+09,1.79500598814691376689e+09,'playing','link','bagh','bagh',2,NULL,1,2,'guest 1','guest 2','guest','guest',0,0,0,1,7,NULL,NULL,0,NULL);
INSERT INTO "matches" VALUES('rXHGmjvcWf',11,1.79500598815122747427e+09,1.79500598818706083299e+09,'playing','link','fencing','fencing',1,NULL,1,2,'guest 1','guest 2','guest','guest',0,0,0,1,2,NULL,NULL,0,NULL);
INSERT INTO "matches" VALUES('wfe3FMm9cr',7,1.79500598819133758542e+09,1.79500598819927167891e+09,'playing','link','defend-the-city','defend-the-city',1,NULL,1,2,'guest 1','guest 2','guest','guest',0,0,0,1,1,NULL,NULL,0,NULL);
INSERT INTO "matches" VALUES('RmDpTWYTkN',18,1.79500598820338559151e+09,1.79500598822713112829e+09,'playing','link','magic-duel','magic-duel',1,NULL,1,2,'guest 1','guest 2','guest','guest',0,0,0,1,7,NULL,NULL,0,NULL);
CREATE TABLE outages (
	began DOUBLE NOT NULL,
	ended DOUBLE NOT NULL,
	CONSTRAINT outages_key PRIMARY KEY (began)
);
CREATE TABLE people (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	name TEXT NOT NULL,
	name_key TEXT NOT NULL,
	is_guest BOOLEAN NOT NULL,
	password_hash TEXT,
	created_at DOUBLE NOT NULL,
	CONSTRAINT people_name_key_unique UNIQUE (name_key)
);
INSERT INTO "people" VALUES(1,'guest 1','guest 1',1,NULL,1.79500598777744174001e+09);
INSERT INTO "people" VALUES(2,'guest 2','guest 2',1,NULL,1.79500598780581355098e+09);
CREATE TABLE puzzle_attempts (
	puzzle TEXT NOT NULL,
	person INTEGER NOT NULL,
	at DOUBLE NOT NULL,
	answer TEXT NOT NULL,
	solved BOOLEAN NOT NULL,
	"before" DOUBLE,
	"after" DOUBLE,
	puzzle_before DOUBLE,
	puzzle_after DOUBLE,
	CONSTRAINT puzzle_attempts_key PRIMARY KEY (puzzle, person),
	CONSTRAINT puzzle_attempts_person_of_people FOREIGN KEY(person) REFERENCES people (id),
	CONSTRAINT puzzle_attempts_puzzle_of_puzzles FOREIGN KEY(puzzle) REFERENCES puzzles (id)
);
CREATE TABLE puzzle_ratings (
	person INTEGER NOT NULL,
	game TEXT NOT NULL,
	rating DOUBLE NOT NULL,
	deviation DOUBLE NOT NULL,
	volatility DOUBLE NOT NULL,
	attempts INTEGER NOT NULL,
	solved INTEGER NOT NULL,
	at DOUBLE NOT NULL,
	CONSTRAINT puzzle_ratings_key PRIMARY KEY (person, game),
	CONSTRAINT puzzle_ratings_person_of_people FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE puzzles (
	id TEXT NOT NULL,
	game TEXT NOT NULL,
	ruleset TEXT NOT NULL,
	kind TEXT NOT NULL,
	seat TEXT NOT NULL,
	state TEXT NOT NULL,
	right_count INTEGER NOT NULL,
	tolerance DOUBLE NOT NULL,
	source TEXT NOT NULL,
	solution TEXT NOT NULL,
	created_at DOUBLE NOT NULL,
	rating DOUBLE NOT NULL,
	deviation DOUBLE NOT NULL,
	volatility DOUBLE NOT NULL,
	attempts INTEGER NOT NULL,
	solved INTEGER NOT NULL,
	CONSTRAINT puzzles_key PRIMARY KEY (id)
);
CREATE TABLE rating_changes (
	"match" TEXT NOT NULL,
	seat TEXT NOT NULL,
	person INTEGER NOT NULL,
	game TEXT NOT NULL,
	"before" DOUBLE NOT NULL,
	"after" DOUBLE NOT NULL,
	at DOUBLE NOT NULL,
	CONSTRAINT rating_changes_key PRIMARY KEY ("match", seat),
	CONSTRAINT rating_changes_match_of_matches FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT rating_changes_person_of_people FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE ratings (
	person INTEGER NOT NULL,
	game TEXT NOT NULL,
	rating DOUBLE NOT NULL,
	deviation DOUBLE NOT NULL,
	volatility DOUBLE NOT NULL,
	matches INTEGER NOT NULL,
	at DOUBLE NOT NULL,
	CONSTRAINT ratings_key PRIMARY KEY (person, game),
	CONSTRAINT ratings_person_of_people FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE sessions (
	token_hash BLOB NOT NULL,
	person INTEGER NOT NULL,
	expires DOUBLE NOT NULL,
	CONSTRAINT sessions_key PRIMARY KEY (token_hash),
	CONSTRAINT sessions_person_of_people FOREIGN KEY(person) REFERENCES people (id)
);
CREATE INDEX matches_blue_person_created_at ON matches (blue_person, created_at);
CREATE INDEX matches_created_at ON matches (created_at);
CREATE INDEX matches_red_person_created_at ON matches (red_person, created_at);
CREATE INDEX matches_status_created_at ON matches (status, created_at);
CREATE INDEX ratings_game_rating ON ratings (game, rating);
CREATE INDEX sessions_expires ON sessions (expires);
CREATE INDEX sessions_person ON sessions (person);
CREATE INDEX rating_changes_person_game_at ON rating_changes (person, game, at);
CREATE INDEX puzzles_game_rating ON puzzles (game, rating);
CREATE INDEX puzzles_rating ON puzzles (rating);
CREATE INDEX puzzle_attempts_person_at ON puzzle_attempts (person, at);
CREATE INDEX discord_challenges_status ON discord_challenges (status);
CREATE INDEX discord_duels_stage_guild ON discord_duels (stage, guild);
CREATE INDEX discord_duels_thread ON discord_duels (thread);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('people',2);
COMMIT;
