#!/usr/bin/env python3
"""Records the stems of the words below by NLTK's Porter stemmer: python3 porter.py writes porter.json.

`published` is its mode ORIGINAL_ALGORITHM, `revised` its mode MARTIN_EXTENSIONS. Words of two
letters are left out: Porter's own program does not touch them, the printed algorithm does.
"""
import json
import pathlib

from nltk.stem.porter import PorterStemmer

WORDS = """
a i man men woman women child children dog dogs cat cats girl girls boy boys ball balls beach beaches
bus buses glass glasses dress dresses grass boxes box foxes pony ponies puppy puppies baby babies
city cities lady ladies sky skies fly flies flying flew party parties story stories tie ties tied
tying die dies died dying lie lies lying run runs running runner runners ran jump jumps jumped jumping
jumper sit sits sitting sat sitter swim swims swimming swimmer swam ride rides riding rider riders
rode ridden climb climbs climbed climbing climber play plays played playing player players playful
playfully playground walk walks walked walking walker skate skates skated skating skater skateboard
skateboards skateboarding skateboarder snowboarding snowboarders hop hops hopped hopping hope hopes
hoped hoping fall falls falling fell fill filled filling file files filed filing fail failed failing
hiss hissed hissing fizz fizzed fizzing feed feeds feeding agree agreed agreeing agreement bleed
bleeding red bed sled sledding sing sings singing singer sang bring bringing string strings king
kings wing winged spring springing motor motors motoring motorcycle motorcycles conflate conflated
trouble troubled troubling size sized sizing tan tanned tanning roll rolled rolling roller smile
smiles smiled smiling wear wears wearing wore worn dance danced dancing dancer take takes taking
taken make makes making made throw throws throwing thrown catch catches catching caught happy happily
happiness happier happiest relate related relational relation relatively relative condition
conditional conditionally rational rationally valence valency hesitant hesitancy hesitance digitize
digitizer conform conformable conformably radical radically different differently difference vile
vilely analogous analogously organize organizer organization organizational predict predicate
predication operate operator operation operational feudal feudalism decide decisive decisiveness hope
hopeful hopefulness callous callousness formal formality formally sensitive sensitivity sensible
sensibly sensibility possible possibly possibility probable probably probability able ably ability
capable capability archaeology geology biology biologist biological apology apologize triple triplicate
form formative formalize electric electrical electrically electricity hope good goodness revive
revival allow allowance infer inference airline airliner gyroscope gyroscopic adjust adjustable
defence defensible irritate irritant replace replacement adjustment depend dependent adopt adoption
homology homologou commune communism activate active actively activity angular angularity homologous
effect effective effectively bowl bowls bowler bowling probate rate rated rating cease ceased control
controlled controlling controller generalization generalizations oscillator oscillators oscillate
matting mating meeting meetings general generally universe university universal universally
news newspaper newspapers yes gas this his us bus ass is was has does goes doing going snow snowy
snowing cow cows cowboy cowboys toy toys joy enjoy enjoys enjoyed enjoying enjoyable enjoyment
employ employed employee employer employment say says saying said buy buying key keys monkey monkeys
turkey money donkey volley volleyball hockey jersey jerseys yellow yellowish blue bluish green
greenish colourful colorful color colors colored coloured colour beautiful beautifully beauty
carefully careful careless carelessly care caring cared carried carries carry carrying hurry hurried
marry married marriage study studies studied studying student students crossing crosses crossed cross
kiss kisses kissed kissing pass passes passed passing pushes pushed pushing watches watched watching
reaches reached reaching splash splashes splashed splashing wash washed washing finishing finished
race races raced racing racer racers face faces faced facing bike bikes biked biking biker bikers
hike hiked hiking hiker hikers trees tree three bee bees knee knees kneel kneeling kneels free freely
skiing skis skier ski taxi taxis kayak kayaks kayaking canoe canoes canoeing shoe shoes toe toes
leaf leaves wolf wolves knife knives wife wives shelf shelves scarf scarves half halves
""".split()

published = PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM)
revised = PorterStemmer(mode=PorterStemmer.MARTIN_EXTENSIONS)
rows = [[word, published.stem(word), revised.stem(word)]
        for word in sorted(set(WORDS)) if len(word) != 2]
text = ",\n".join(json.dumps(row) for row in rows)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(f"[\n{text}\n]\n", encoding="utf-8")
